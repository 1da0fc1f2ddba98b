/**
 * The AWS role of each project, from the setting `awsRoles`, and the secret with its credential for
 * OpenStack, from `openStackSecrets`. The functions may assume only these roles and read only these
 * secrets. The permissions of a role or credential limit what its project can create.
 */
import * as z from "zod";
import { TENANT } from "#lib/api/tenant.ts";
import { parseJson } from "#lib/json.ts";
import { REGION, ROLE_ARN, serverSettings } from "#providers/cloud-control/account/roles.ts";
import { NoRole } from "#providers/cloud-control/client.ts";

const EXTERNAL_ID = /^[\w+=,.@:/-]{2,1224}$/;
const MEMBERS = "role_arn, region, external_id and servers";

const role = z.strictObject(
  {
    role_arn: z
      .string("the ARN of a role is expected")
      .regex(ROLE_ARN, "the ARN of a role is expected, arn:aws:iam::…:role/…"),
    region: z
      .string("a region is expected")
      .regex(REGION, "a region is expected, such as eu-central-1"),
    /**
     * The trust policy of the role requires it. Without it, somebody who knows the ARN could ask
     * Hearth's operator to name the role for another project, which would then act in the account
     * (the confused deputy).
     */
    external_id: z
      .string("2 to 1224 letters, digits and +=,.@:/- are expected")
      .regex(EXTERNAL_ID, "2 to 1224 letters, digits and +=,.@:/- are expected"),
    /** If present, EC2 makes `OS::Nova::Server` and the types around it. */
    servers: z.exactOptional(serverSettings),
  },
  {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? `${MEMBERS} are expected, and not ${issue.keys.join(", ")}`
        : `an object with ${MEMBERS} is expected`,
  },
);

const byProject = <Schema extends z.ZodType>(schema: Schema) =>
  z.record(z.string().regex(TENANT), schema, {
    error: ({ code }) => (code === "invalid_key" ? "the name of a project is expected" : undefined),
  });

export const awsRolesSchema = byProject(role);

export type AwsRoles = z.infer<typeof awsRolesSchema>;

export const readAwsRoles = (text: string | undefined): AwsRoles =>
  text === undefined ? {} : awsRolesSchema.parse(parseJson(text));

/** Throws NoRole, whose message the project's users see. */
export const roleOf = (roles: AwsRoles, project: string): AwsRoles[string] => {
  const role = Object.hasOwn(roles, project) ? roles[project] : undefined;
  if (role !== undefined) return role;
  throw new NoRole(
    `The project ${project} has no role in AWS, so nothing was changed there. Its operator names one in the setting awsRoles, and deploys again.`,
  );
};

const SECRET_ARN = /^arn:aws[a-z-]*:secretsmanager:[\w-]+:\d{12}:secret:[\w/+=.@-]+$/;
const SECRET_EXPECTED = "the ARN of a secret is expected, arn:aws:secretsmanager:…:secret:…";

export const openStackSecretsSchema = byProject(
  z.string(SECRET_EXPECTED).regex(SECRET_ARN, SECRET_EXPECTED),
);

export type OpenStackSecrets = z.infer<typeof openStackSecretsSchema>;

export const readOpenStackSecrets = (text: string | undefined): OpenStackSecrets =>
  text === undefined ? {} : openStackSecretsSchema.parse(parseJson(text));
