/** Lets other work of this process run while one piece of work takes long. */
export interface Turns {
  pause(): Promise<void> | null;
}
