/** Where a host on this machine keeps its data, unless it is told otherwise. */
export const DATA_FOLDER_DEFAULT = ".data";
