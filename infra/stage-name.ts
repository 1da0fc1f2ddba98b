/** The name of a stage's stack, for the app and for the commands that only ask about it. */
export const stackNameOf = ({ stage }: { readonly stage: string }): string => `Hearth-${stage}`;
