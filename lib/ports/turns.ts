export interface Turns {
  pause(): Promise<void> | null;
}
