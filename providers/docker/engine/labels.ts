/** Labels, which objects of all kinds have, and by which lists find them. */
import * as z from "zod/mini";

type Labels = Readonly<Record<string, string>>;

/** An engine may show null for none. */
export const labelsSchema = z.pipe(
  z.nullish(z.record(z.string(), z.string())),
  z.transform((found) => found ?? {}),
);

/** The filter of a list. */
export const labelFilter = (wanted: Labels): string =>
  JSON.stringify({ label: Object.entries(wanted).map(([key, value]) => `${key}=${value}`) });

/** Podman's filter takes one of the labels for enough. */
export const hasAll = (labels: Labels, wanted: Labels): boolean =>
  Object.entries(wanted).every(([key, value]) => labels[key] === value);
