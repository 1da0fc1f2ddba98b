/** The names of the types that have an address. */

export const SERVER = "OS::Nova::Server";

/** The types whose address is that of the server that uses them. */
export const PORT = "OS::Neutron::Port";
export const FLOATING_ADDRESSES: readonly string[] = [
  "OS::Neutron::FloatingIP",
  "OS::Nova::FloatingIP",
];
export const ADDRESS_LINKS: readonly string[] = [
  "OS::Neutron::FloatingIPAssociation",
  "OS::Nova::FloatingIPAssociation",
];
