/** An account may hold several deployments of the app, called stages. */

/** The stack of a stage. Its name is part of the names of all its resources. */
export const stackOf = (stage: string): string => `Hearth-${stage}`;

/** Selects this stage's names from an account's names, URLs, ARNs and paths. */
export const namesOf = (stage: string, names: readonly string[]): readonly string[] => {
  const own = new RegExp(`\\b${stackOf(stage)}[-/]`);
  return names.filter((name) => own.test(name));
};
