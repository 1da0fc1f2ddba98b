/** The names of the environments that Hearth brings. */
const SCHEME = "hearth:";

/** Stubs stand for all that needs a cloud, a machine or a user. The rest is real. */
export const STUBS = `${SCHEME}stubs`;

/** Servers are machines of the user's inventory. What a cloud puts around them is a record. */
export const EXISTING_MACHINES = `${SCHEME}existing-machines`;

/** Before the name of the file with an inventory. */
export const INVENTORY = `${SCHEME}inventory=`;

export const inventoryName = (file: string): string => INVENTORY + file;

export const isBuiltIn = (name: string): boolean => name.startsWith(SCHEME);
