import { expect, it } from "vitest";
import { type RefusedCase as Case, dependent, failed, refusal } from "../template-refusal.ts";

const CONFIGURATION = { get_resource: "lc" };
const SERVERS = { AvailabilityZones: ["z"], MinSize: 1, MaxSize: 2 };
const SCALING = "AWS::AutoScaling::AutoScalingGroup";
const LAUNCH = "AWS::AutoScaling::LaunchConfiguration";
const MEMBERS = { resource: { type: "OS::Neutron::Net" } };
const INSTANCES = { AvailabilityZones: ["z"], Size: 1 };
const MIN_ABOVE_MAX = failed("MinSize can not be greater than MaxSize");
const NOT_WITHIN = failed("DesiredCapacity must be between MinSize and MaxSize");
const NO_SOURCE = failed("Either 'InstanceId' or 'LaunchConfigurationName' must be provided.");

it.each<Case>([
  ["OS::Heat::AutoScalingGroup", { ...MEMBERS, min_size: 2, max_size: 1 }, MIN_ABOVE_MAX],
  [
    "OS::Heat::AutoScalingGroup",
    { ...MEMBERS, min_size: 1, max_size: 2, desired_capacity: 3 },
    NOT_WITHIN,
  ],
  [
    "OS::Heat::AutoScalingGroup",
    { min_size: "few", max_size: 2 },
    failed("ValueError: resources.r: Value 'few' is not an integer"),
  ],
  [
    "OS::Heat::AutoScalingGroup",
    { min_size: 1, max_size: 2 },
    failed("Property error: resources.r.properties: Property resource not assigned"),
  ],
  [SCALING, { ...SERVERS, MinSize: 3, unknown: 1 }, MIN_ABOVE_MAX],
  [
    SCALING,
    { AvailabilityZones: ["z"], MinSize: 1 },
    failed("ValueError: resources.r: Property MaxSize not assigned"),
  ],
  [
    SCALING,
    { ...SERVERS, MinSize: -1 },
    failed("The size of AutoScalingGroup can not be less than zero"),
  ],
  [
    SCALING,
    { ...SERVERS, VPCZoneIdentifier: ["a", "b"] },
    "NotSupported: Anything other than one VPCZoneIdentifier is not supported.",
  ],
  [SCALING, SERVERS, NO_SOURCE],
  [SCALING, { ...SERVERS, InstanceId: "i", LaunchConfigurationName: CONFIGURATION }, NO_SOURCE],
  [SCALING, { ...SERVERS, LaunchConfigurationName: CONFIGURATION }, null],
  [
    SCALING,
    { ...SERVERS, LaunchConfigurationName: "x" },
    failed("ValueError: resources.r: LaunchConfigurationName (x) reference can not be found."),
  ],
  [
    "OS::Heat::InstanceGroup",
    { ...INSTANCES, LaunchConfigurationName: "lc" },
    failed(
      "ValueError: resources.r: LaunchConfigurationName (lc) requires a reference to the configuration not just the name of the resource.",
    ),
  ],
  ["OS::Heat::InstanceGroup", { ...INSTANCES, LaunchConfigurationName: CONFIGURATION }, null],
  [
    LAUNCH,
    { ImageId: "i" },
    failed("If without InstanceId, ImageId and InstanceType are required."),
  ],
  [LAUNCH, { ImageId: "i", InstanceType: "t" }, null],
  [
    LAUNCH,
    { InstanceId: "i", BlockDeviceMappings: [{ DeviceName: "vdb" }] },
    failed("Ebs is missing, this is required when specifying BlockDeviceMappings."),
  ],
  [
    LAUNCH,
    { InstanceId: "i", BlockDeviceMappings: [{ DeviceName: "vdb", Ebs: {} }] },
    failed("SnapshotId is missing, this is required when specifying BlockDeviceMappings."),
  ],
  [
    "AWS::AutoScaling::ScalingPolicy",
    {
      AutoScalingGroupName: "g",
      ScalingAdjustment: 1,
      AdjustmentType: "ExactCapacity",
      MinAdjustmentStep: 1,
    },
    dependent("MinAdjustmentStep", "AdjustmentType", "PercentChangeInCapacity"),
  ],
  [
    "OS::Heat::ScalingPolicy",
    {
      auto_scaling_group_id: "g",
      scaling_adjustment: 1,
      adjustment_type: "exact_capacity",
      min_adjustment_step: 0,
    },
    dependent("min_adjustment_step", "adjustment_type", "percent_change_in_capacity"),
  ],
])("%s %j: %s", (type, properties, refused) => {
  expect(refusal(type, properties)).toBe(refused);
});

it.each<readonly [pause: string, refused: string | null]>([
  ["PT1H", null],
  ["PT59M60S", null],
  ["PT1H1S", "Maximum PauseTime is 1 hour."],
  ["soon", "Only ISO 8601 duration format of the form PT#H#M#S is supported."],
])("the pause %s of a group: %s", (PauseTime, refused) => {
  const expected = refused === null ? null : failed(`ValueError: resources.r: ${refused}`);
  const named = { LaunchConfigurationName: CONFIGURATION };
  const policy = (key: string) => ({ update_policy: { [key]: { PauseTime } } });
  const instances = { ...INSTANCES, ...named };
  expect(refusal("OS::Heat::InstanceGroup", instances, policy("RollingUpdate"))).toBe(expected);
  const servers = { ...SERVERS, ...named };
  expect(refusal(SCALING, servers, policy("AutoScalingRollingUpdate"))).toBe(expected);
});

it("a dependency on the launch configuration is a reference, too", () => {
  const properties = { ...INSTANCES, LaunchConfigurationName: "lc" };
  expect(refusal("OS::Heat::InstanceGroup", properties, { depends_on: "lc" })).toBeNull();
});
