/** Example values for properties whose schemas do not provide one. */
import type { Json, JsonObject } from "#lib/json.ts";

/** By the name of a custom constraint. Other constraints ask a cloud for an object of that name. */
export const EXAMPLES_BY_RULE: Readonly<Record<string, Json>> = {
  cron_expression: "0 22 * * 5",
  dns_name: "web.example.com.",
  expiration: "2030-01-01T00:00:00Z",
  ip_addr: "10.0.0.10",
  ip_or_cidr: "10.0.0.0/24",
  json_string: '{"key": "value"}',
  mac_addr: "fa:16:3e:00:00:01",
  net_cidr: "10.0.0.0/24",
};

export const EXAMPLES_BY_PATTERN: Readonly<Record<string, Json>> = {
  "/dev/vd[b-z]": "/dev/vdb",
  "/([^/\\n\\x00]+/)*[^/\\n\\x00]+": "/etc/motd",
  "\\d{4}-\\d{2}-\\d{2}\\s\\d{2}:\\d{2}": "2030-01-01 00:00",
  "[a-zA-Z0-9_\\-]+[a-zA-Z0-9_@?#\\s\\-]*[a-zA-Z0-9_\\-]+": "my-name",
  "[a-zA-Z0-9_]+[a-zA-Z0-9_@?#\\s]*[a-zA-Z0-9_]+": "my_name",
};

/** By the name of a property that has no list of values, pattern or rule. */
export const EXAMPLES_BY_NAME: Readonly<Record<string, Json>> = {
  AllocatedStorage: "10",
  AvailabilityZone: "nova",
  AvailabilityZones: ["nova"],
  CidrBlock: "10.0.0.0/24",
  DBInstanceClass: "db.m1.small",
  EvaluationPeriods: "3",
  InstancePort: 8080,
  LoadBalancerPort: 80,
  MaxSize: 3,
  MetricName: "cpu",
  Period: "300",
  Threshold: "80",
  Timeout: "600",
  address: "10.0.0.10",
  after: 5,
  datastore_type: "mysql",
  datastore_version: "8.0",
  delay: 5,
  destination: "192.168.0.0/24",
  external_port: 8080,
  location: "https://example.com/image.qcow2",
  max_kbps: 10_000,
  max_size: 3,
  meter_name: "cpu",
  metric: "cpu",
  metrics: ["cpu"],
  min_kbps: 1_000,
  min_kpps: 10,
  min_size: 1,
  name: "example",
  nexthop: "10.0.0.1",
  peer_address: "198.51.100.7",
  peer_id: "198.51.100.7",
  protocol_port: 80,
  provider: "luks",
  query: '{"=": {"project_id": "my-project"}}',
  ram: 512,
  records: ["10.0.0.10"],
  remote_ip_prefix: "10.0.0.0/24",
  resource_type: "instance",
  servers: { web: "my-server" },
  size: 10,
  subscriber: "https://example.com/notify",
  threshold: 80,
  timeout: 600,
  tool: "script",
  url: "https://example.com",
  vcpus: 1,
  volume_size: 10,
};

export const MORE_PROPERTIES: Readonly<Record<string, JsonObject>> = {
  "AWS::AutoScaling::AutoScalingGroup": {
    LaunchConfigurationName: { get_resource: "launch_configuration" },
  },
  "AWS::AutoScaling::LaunchConfiguration": { ImageId: "my-image", InstanceType: "my-flavor" },
  "AWS::CloudFormation::Stack": { TemplateURL: "https://example.com/nested.yaml" },
  "AWS::EC2::EIPAssociation": { EIP: "198.51.100.7", InstanceId: "my-server" },
  "OS::Aodh::CompositeAlarm": {
    composite_rule: {
      operator: "or",
      rules: [
        { type: "gnocchi_resources_threshold", metric: "cpu", threshold: 80 },
        { type: "gnocchi_resources_threshold", metric: "memory", threshold: 90 },
      ],
    },
  },
  "OS::Barbican::Order": { algorithm: "aes", bit_length: 256 },
  "OS::Aodh::PrometheusAlarm": { query: "node_load1" },
  "OS::Blazar::Lease": { end_date: "2030-01-02 00:00" },
  "OS::Cinder::Quota": { gigabytes: 100 },
  "OS::Cinder::Volume": { size: 10 },
  "OS::Designate::Zone": { name: "example.com.", email: "admin@example.com" },
  "OS::Heat::AccessPolicy": { AllowedResources: ["value"] },
  "OS::Heat::AutoScalingGroup": { resource: { type: "OS::Heat::RandomString" } },
  "OS::Heat::InstanceGroup": {
    LaunchConfigurationName: { get_resource: "launch_configuration" },
  },
  "OS::Heat::ResourceChain": { resources: ["OS::Heat::RandomString"] },
  "OS::Heat::ResourceGroup": { resource_def: { type: "OS::Heat::RandomString" }, count: 2 },
  "OS::Heat::Stack": { template: "heat_template_version: 2021-04-16" },
  "OS::Ironic::Port": { address: "fa:16:3e:00:00:01" },
  "OS::Keystone::Service": { type: "compute" },
  "OS::Mistral::CronTrigger": { pattern: "0 22 * * 5" },
  "OS::Mistral::ExternalResource": { actions: { CREATE: { workflow: "my-workflow" } } },
  "OS::Mistral::Workflow": { tasks: [{ name: "hello", action: "std.noop" }] },
  "OS::Neutron::Quota": { network: 10 },
  "OS::Neutron::RouterInterface": { subnet: "my-subnet" },
  "OS::Neutron::Subnet": { cidr: "10.0.0.0/24" },
  "OS::Nova::Quota": { instances: 10 },
  "OS::Nova::Server": { image: "my-image", networks: [{ network: "my-network" }] },
  "OS::Octavia::HealthMonitor": { timeout: 3 },
  "OS::Octavia::Pool": { listener: "my-listener" },
  "OS::Octavia::Quota": { pool: 10 },
};

export const MORE_RESOURCES: Readonly<Record<string, JsonObject>> = {
  "AWS::AutoScaling::AutoScalingGroup": {
    launch_configuration: {
      type: "AWS::AutoScaling::LaunchConfiguration",
      properties: { ImageId: "my-image", InstanceType: "my-flavor" },
    },
  },
  "OS::Heat::AccessPolicy": {
    value: { type: "OS::Heat::Value", properties: { value: "example" } },
  },
  "OS::Heat::InstanceGroup": {
    launch_configuration: {
      type: "AWS::AutoScaling::LaunchConfiguration",
      properties: { ImageId: "my-image", InstanceType: "my-flavor" },
    },
  },
};
