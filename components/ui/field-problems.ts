"use client";
import { createContext, useContext } from "react";

export interface FieldProblem {
  /** The control's `name`. */
  readonly field: string;
  readonly message: string;
  /** The field asks it itself. */
  readonly isQuestion: boolean;
}

/** The problems of the form around a field; each field reads its own. */
export const FieldProblems = createContext<readonly FieldProblem[]>([]);

export function useFieldProblem(name: string): string | undefined {
  return useContext(FieldProblems).find(({ field }) => field === name)?.message;
}
