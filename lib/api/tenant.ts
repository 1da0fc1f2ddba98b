/** A tenant is part of every key. OpenStack's project ids and names have these characters. */
export const TENANT = /^[A-Za-z0-9][A-Za-z0-9_.@-]{0,254}$/;

/**
 * The parts of a path between its slashes, without empty ones at the ends. It needs linear time; a
 * regular expression for the slashes at the end would try each run of slashes from each place.
 */
export const pathSegments = (path: string): readonly string[] => {
  const parts = path.split("/");
  const first = parts.findIndex((part) => part !== "");
  const last = parts.findLastIndex((part) => part !== "");
  return first < 0 ? [""] : parts.slice(first, last + 1);
};
