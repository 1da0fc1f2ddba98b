/** Where `hearth serve` keeps its data, and where the commands about that folder look for it. */
export const DATA_FOLDER_DEFAULT = ".data";
