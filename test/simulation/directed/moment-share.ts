/**
 * `npm run lane -- proof` plays one moment in five of each life, always the same ones, and `npm run
 * lane -- moments` plays all of them. Six kinds of events take turns in a list of moments. A step
 * of five reaches each kind, which a step of two or three would not.
 */
export const MOMENTS_EVERY = process.env["HEARTH_MOMENTS"] === "all" ? 1 : 5;
