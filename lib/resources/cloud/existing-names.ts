/** The names of the types that stand for what exists already. */

/** The environment `hearth:existing-machines` maps `OS::*` to this and `OS::*`. */
export const EXISTING_PREFIX = "Hearth::Existing::";

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
