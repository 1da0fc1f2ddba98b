/** The file of `--aws`: under which role each project acts. */
import * as z from "zod/mini";

const ROLE_ARN = /^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]+$/;
const REGION = /^[a-z]{2}(-[a-z]+)+-\d$/;

const role = z.strictObject({
  role_arn: z.string().check(z.regex(ROLE_ARN, "must be the ARN of a role")),
  region: z.string().check(z.regex(REGION, "must be a region such as eu-central-1")),
  /** The role's trust policy demands it. It tells projects from one another. */
  external_id: z.optional(z.string().check(z.minLength(2), z.maxLength(1_224))),
});

export type Role = z.infer<typeof role>;

const roles = z.strictObject({ projects: z.record(z.string(), role) });

/** The text names the file and the place in it. */
export class RolesRefused extends Error {
  override readonly name = "RolesRefused";
}

const parse = (text: string, place: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new RolesRefused(`${place} is no JSON.`, { cause: error });
  }
};

/** By project. `place` is the file's name. Throws RolesRefused. */
export const readRoles = (text: string, place: string): ReadonlyMap<string, Role> => {
  const read = z.safeParse(roles, parse(text, place));
  if (read.success) return new Map(Object.entries(read.data.projects));
  const [issue] = read.error.issues;
  const where = (issue?.path ?? []).map(String).join(".");
  throw new RolesRefused(`${place} cannot be used: ${where}: ${issue?.message ?? ""}.`);
};
