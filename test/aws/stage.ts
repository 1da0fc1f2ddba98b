export const stackOf = (stage: string): string => `Hearth-${stage}`;
