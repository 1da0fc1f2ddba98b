const SCHEME = "hearth:";

/** Stubs replace everything that needs a cloud, a machine or a user. The rest is real. */
export const STUBS = `${SCHEME}stubs`;

/** Servers are machines of the user's inventory. A cloud's other objects are only recorded. */
export const EXISTING_MACHINES = `${SCHEME}existing-machines`;

export const INVENTORY = `${SCHEME}inventory=`;

export const inventoryName = (file: string): string => INVENTORY + file;

export const isBuiltIn = (name: string): boolean => name.startsWith(SCHEME);
