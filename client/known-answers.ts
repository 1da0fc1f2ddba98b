/** Answers that a client keeps, so that a server need not send one again that is still the same. */

const ANSWERS_MAX = 60;
/** Of all answers together. */
const CHARS_MAX = 20_000_000;

export interface KnownAnswer {
  /** The server's name for this content. */
  readonly tag: string;
  readonly text: string;
}

export interface KnownAnswers {
  find(path: string): KnownAnswer | undefined;
  /** Forgets those that were kept longest ago, if there are too many. */
  keep(path: string, answer: KnownAnswer): void;
  clear(): void;
}

export const knownAnswers = (): KnownAnswers => {
  const answers = new Map<string, KnownAnswer>();
  let chars = 0;
  const forget = (path: string): void => {
    chars -= answers.get(path)?.text.length ?? 0;
    answers.delete(path);
  };
  return {
    find: (path) => answers.get(path),
    keep: (path, answer) => {
      forget(path);
      answers.set(path, answer);
      chars += answer.text.length;
      for (const oldest of answers.keys()) {
        if (answers.size <= ANSWERS_MAX && chars <= CHARS_MAX) return;
        forget(oldest);
      }
    },
    clear: () => {
      answers.clear();
      chars = 0;
    },
  };
};
