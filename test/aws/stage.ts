/** One app may be deployed several times into an account: by stages. */

/** The stack of a stage, whose name is in the names of all that belongs to it. */
export const stackOf = (stage: string): string => `Hearth-${stage}`;

/** Of the names in an account, and of URLs, ARNs and paths with names in them, those of this stage. */
export const namesOf = (stage: string, names: readonly string[]): readonly string[] => {
  const own = new RegExp(`\\b${stackOf(stage)}[-/]`);
  return names.filter((name) => own.test(name));
};
