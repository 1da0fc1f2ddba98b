/** The only region in a host's catalog. The name is OpenStack's default. */
export const OWN_REGION = "RegionOne";
