/** The oldest Node that package.json allows, as esbuild names it. */
export const OLDEST_NODE = "node22.13";
