/**
 * What Heat's API leaves out of a type's schema: hidden and unimplemented members (Heat's
 * resource_schema). The recording has them, because it was made from the classes.
 */

export interface NotListed {
  readonly properties?: readonly string[];
  readonly attributes?: readonly string[];
}

export const NOT_LISTED: Readonly<Record<string, NotListed>> = {
  "AWS::AutoScaling::AutoScalingGroup": {
    properties: ["HealthCheckGracePeriod", "HealthCheckType"],
  },
  "AWS::AutoScaling::LaunchConfiguration": { properties: ["KernelId", "RamDiskId"] },
  "AWS::EC2::Instance": {
    properties: [
      "DisableApiTermination",
      "KernelId",
      "Monitoring",
      "PlacementGroupName",
      "PrivateIpAddress",
      "RamDiskId",
      "SourceDestCheck",
      "Tenancy",
    ],
  },
  "AWS::EC2::NetworkInterface": { properties: ["SourceDestCheck"] },
  "AWS::EC2::VPC": { properties: ["InstanceTenancy"] },
  "AWS::EC2::VPCGatewayAttachment": { properties: ["VpnGatewayId"] },
  "AWS::ElasticLoadBalancing::LoadBalancer": {
    properties: ["AppCookieStickinessPolicy", "LBCookieStickinessPolicy", "Subnets"],
  },
  "AWS::IAM::AccessKey": { properties: ["Serial", "Status"] },
  "OS::Cinder::Volume": { properties: ["imageRef", "multiattach"] },
  "OS::Heat::RandomString": { properties: ["sequence"] },
  "OS::Manila::ShareNetwork": { properties: ["nova_network"] },
  "OS::Neutron::FloatingIP": { properties: ["floating_network_id"] },
  "OS::Neutron::Port": { properties: ["network_id", "replacement_policy"] },
  "OS::Neutron::Router": { properties: ["l3_agent_id"] },
  "OS::Neutron::RouterInterface": { properties: ["router_id", "subnet_id", "port_id"] },
  "OS::Neutron::Subnet": { properties: ["network_id"] },
  "OS::Neutron::VPNService": { properties: ["subnet_id", "router_id"] },
  "OS::Nova::Server": { properties: ["admin_user"], attributes: ["first_address"] },
  "OS::Zaqar::Queue": { attributes: ["queue_id"] },
};
