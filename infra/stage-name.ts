export const stackNameOf = ({ stage }: { readonly stage: string }): string => `Hearth-${stage}`;
