export interface Edit {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

export interface Mutant {
  readonly name: string;
  readonly rule: string;
  readonly edits: readonly Edit[];
}

/** An edit of a file in lib/convergence. A name with a folder is relative to lib. */
export const edit = (file: string, find: string, replace: string): Edit => ({
  file: file.includes("/") ? `lib/${file}` : `lib/convergence/${file}`,
  find,
  replace,
});
