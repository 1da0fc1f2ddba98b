/** Older names of types, as in the environment that Heat is shipped with. */

const ALIASES: ReadonlyMap<string, string> = new Map([
  ["OS::Metering::Alarm", "OS::Aodh::Alarm"],
  ["OS::Ceilometer::Alarm", "OS::Aodh::Alarm"],
  ["OS::Ceilometer::GnocchiResourcesAlarm", "OS::Aodh::GnocchiResourcesAlarm"],
  [
    "OS::Ceilometer::GnocchiAggregationByMetricsAlarm",
    "OS::Aodh::GnocchiAggregationByMetricsAlarm",
  ],
  [
    "OS::Ceilometer::GnocchiAggregationByResourcesAlarm",
    "OS::Aodh::GnocchiAggregationByResourcesAlarm",
  ],
  ["OS::Ceilometer::CombinationAlarm", "OS::Aodh::CombinationAlarm"],
  // What the groups of instances call their members. An environment may say otherwise.
  ["OS::Heat::ScaledResource", "AWS::EC2::Instance"],
]);

const QUANTUM = "OS::Quantum";
const NEUTRON = "OS::Neutron";

/** The name of today; a name that is no alias stays. */
export const withoutAlias = (type: string): string =>
  type.startsWith(QUANTUM)
    ? `${NEUTRON}${type.slice(QUANTUM.length)}`
    : (ALIASES.get(type) ?? type);
