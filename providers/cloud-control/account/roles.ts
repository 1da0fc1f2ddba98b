/** The file of `--aws`: the role and region of each project. */
import * as z from "zod/mini";
import { readOperatorFile } from "#providers/operator-file.ts";

export const ROLE_ARN = /^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]+$/;
export const REGION = /^[a-z]{2}(-[a-z]+)+-\d$/;

export const IMAGE = /^(ami-[0-9a-f]+|resolve:ssm:\S+)$/;
const IMAGE_TEXT = "must be the id of an AMI, or resolve:ssm: and a parameter";
export const FLAVOR = /^[a-z][a-z0-9-]*\.[a-z0-9-]+$/;
const FLAVOR_TEXT = "must be an instance type such as t3.small";

export const serverSettings = z.strictObject({
  images: z._default(z.record(z.string(), z.string().check(z.regex(IMAGE, IMAGE_TEXT))), {}),
  flavors: z._default(z.record(z.string(), z.string().check(z.regex(FLAVOR, FLAVOR_TEXT))), {}),
  /** Contains everything that Hearth makes. The default is the default VPC of the region. */
  vpc: z.optional(z.string().check(z.regex(/^vpc-[0-9a-f]+$/, "must be the id of a VPC"))),
  /** For servers without networks. By default AWS chooses a subnet of the default VPC. */
  subnet: z.optional(z.string().check(z.regex(/^subnet-[0-9a-f]+$/, "must be the id of a subnet"))),
});

export type ServerSettings = z.infer<typeof serverSettings>;

const role = z.strictObject({
  role_arn: z.string().check(z.regex(ROLE_ARN, "must be the ARN of a role")),
  region: z.string().check(z.regex(REGION, "must be a region such as eu-central-1")),
  external_id: z.optional(z.string().check(z.minLength(2), z.maxLength(1_224))),
  /** If present, EC2 makes `OS::Nova::Server` and the types around it. */
  servers: z.optional(serverSettings),
});

export type Role = z.infer<typeof role>;

const roles = z.strictObject({ projects: z.record(z.string(), role) });

export const readRoles = (given: unknown, file: string): ReadonlyMap<string, Role> =>
  new Map(Object.entries(readOperatorFile(roles, given, file).projects));
