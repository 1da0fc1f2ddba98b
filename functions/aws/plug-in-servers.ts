import * as z from "zod";

const TYPE = /^[A-Za-z]\w*(::\w+)+$/;
const OWN_FAMILY = /^(Hearth|OS|AWS|Heat)::/;

const typeName = z
  .string()
  .regex(TYPE, "a type has a name such as My::File")
  .refine((name) => !OWN_FAMILY.test(name), "Hearth has the types of this family itself");

const isAddress = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username + password + search + hash === "";
};

const server = z.strictObject({
  /** ARN of the secret in Secrets Manager that signs requests to the server. */
  secret: z.string().regex(/^arn:aws[a-z-]*:secretsmanager:/, "the ARN of a secret is expected"),
  types: z.array(typeName).min(1),
});

export const plugInServersSchema = z
  .record(z.string().refine(isAddress), server, {
    error: ({ code }) => (code === "invalid_key" ? "the URL of a server is expected" : undefined),
  })
  .refine((servers) => {
    const types = Object.values(servers).flatMap((one) => one.types);
    return new Set(types).size === types.length;
  }, "a type is named twice");
