/**
 * The AWS role of each project, from the setting `awsRoles`. The functions may assume only these
 * roles, and a role's permissions limit what its project can create.
 */
import * as z from "zod";
import { TENANT } from "#lib/api/tenant.ts";
import { parseJson } from "#lib/json.ts";
import { REGION, ROLE_ARN } from "#providers/cloud-control/account/roles.ts";

const EXTERNAL_ID = /^[\w+=,.@:/-]{2,1224}$/;
const MEMBERS = "role_arn, region and external_id";

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
  },
  {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? `${MEMBERS} are expected, and not ${issue.keys.join(", ")}`
        : `an object with ${MEMBERS} is expected`,
  },
);

export const awsRolesSchema = z.record(z.string().regex(TENANT), role, {
  error: ({ code }) => (code === "invalid_key" ? "the name of a project is expected" : undefined),
});

export type AwsRoles = z.infer<typeof awsRolesSchema>;

export const readAwsRoles = (text: string | undefined): AwsRoles =>
  text === undefined ? {} : awsRolesSchema.parse(parseJson(text));
