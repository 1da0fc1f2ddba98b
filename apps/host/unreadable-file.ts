const REASONS: ReadonlyMap<unknown, string> = new Map([
  ["ENOENT", "there is no such file"],
  ["ENOTDIR", "there is no such file"],
  ["EISDIR", "it is a folder"],
  ["EACCES", "this user has no right to read it"],
  ["EPERM", "this user has no right to read it"],
  ["ELOOP", "it is a link to itself"],
  ["ENAMETOOLONG", "its name is too long"],
  ["EIO", "the disk reports an error"],
]);

export const whyUnreadable = (error: unknown): string => {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return REASONS.get(code) ?? `the system says ${String(code ?? error)}`;
};
