const SESSION_MS = 3_600_000;

export const SESSION_KEY = "ASIASESSION";

export const sessionAnswer = (
  now: number,
): string => `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult>
<Credentials><AccessKeyId>${SESSION_KEY}</AccessKeyId><SecretAccessKey>session</SecretAccessKey>
<SessionToken>session</SessionToken><Expiration>${new Date(now + SESSION_MS).toISOString()}</Expiration></Credentials>
</AssumeRoleResult></AssumeRoleResponse>`;
