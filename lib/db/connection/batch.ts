/**
 * Collects all questions of one turn of the event loop into one statement, because a round trip costs several times a
 * look-up by key. Adds no delay: the statement leaves once the requests that have arrived are read.
 * @param answerAll answers in the order of the questions; its error rejects all of them
 */
export function batchPerTurn<Question, Answer>(
  answerAll: (questions: readonly Question[]) => Promise<readonly Answer[]>,
): (question: Question) => Promise<Answer> {
  let current: { readonly questions: Question[]; readonly answers: Promise<readonly Answer[]> } | null = null;

  return async (question) => {
    if (current === null) {
      const questions: Question[] = [];
      const answers = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
        current = null;
        return answerAll(questions);
      });
      current = { questions, answers };
    }
    const { questions, answers } = current;
    const place = questions.push(question) - 1;
    return (await answers)[place] as Answer;
  };
}
