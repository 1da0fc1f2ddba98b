/** The one region of a host, as its catalog names it. OpenStack's own name where there is one. */
export const OWN_REGION = "RegionOne";
