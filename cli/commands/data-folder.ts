/** Where a host keeps its data if nothing else is said. */
export const DATA_FOLDER_DEFAULT = ".data";
