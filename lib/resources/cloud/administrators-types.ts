/** Types that Heat's default policy keeps for administrators. No project here has that role. */
const NAMES: ReadonlySet<string> = new Set([
  "OS::Blazar::Host",
  "OS::Cinder::EncryptedVolumeType",
  "OS::Cinder::QoSAssociation",
  "OS::Cinder::QoSSpecs",
  "OS::Cinder::Quota",
  "OS::Cinder::VolumeType",
  "OS::Manila::ShareType",
  "OS::Neutron::ProviderNet",
  "OS::Neutron::QoSBandwidthLimitRule",
  "OS::Neutron::QoSDscpMarkingRule",
  "OS::Neutron::QoSMinimumBandwidthRule",
  "OS::Neutron::QoSMinimumPacketRateRule",
  "OS::Neutron::QoSPolicy",
  "OS::Neutron::Quota",
  "OS::Neutron::Segment",
  "OS::Nova::Flavor",
  "OS::Nova::HostAggregate",
  "OS::Nova::Quota",
  "OS::Octavia::AvailabilityZone",
  "OS::Octavia::AvailabilityZoneProfile",
  "OS::Octavia::Flavor",
  "OS::Octavia::FlavorProfile",
  "OS::Octavia::Quota",
]);
const KEYSTONE = "OS::Keystone::";

export const isForAdministrators = (type: string): boolean =>
  NAMES.has(type) || type.startsWith(KEYSTONE);
