/** An account may hold several deployments of the app, called stages. */

/** The stack of a stage. */
export const stackOf = (stage: string): string => `Hearth-${stage}`;
