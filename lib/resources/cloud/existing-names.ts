export const SERVER = "OS::Nova::Server";
const INSTANCE = "AWS::EC2::Instance";

/** OS::Heat::ScaledResource, the member type of scaling groups, is an alias of the second one. */
const SERVERS: readonly string[] = [SERVER, INSTANCE];

export const isServerType = (type: string): boolean => SERVERS.includes(type);

export const PORT = "OS::Neutron::Port";
export const FLOATING_ADDRESSES: readonly string[] = [
  "OS::Neutron::FloatingIP",
  "OS::Nova::FloatingIP",
  "AWS::EC2::EIP",
];
export const ADDRESS_LINKS: readonly string[] = [
  "OS::Neutron::FloatingIPAssociation",
  "OS::Nova::FloatingIPAssociation",
  "AWS::EC2::EIPAssociation",
];
