/** Lets other work of this process go on while one piece of work takes long. */
export interface Turns {
  /** A pause, if one is due by now. Null: go on. */
  pause(): Promise<void> | null;
}
