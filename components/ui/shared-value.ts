"use client";
import { useSyncExternalStore } from "react";

/** A value that components share with code that is in none of them. */
export interface SharedValue<Value> {
  readonly get: () => Value;
  /** Renders again what shows it. */
  readonly set: (next: Value) => void;
  readonly isShown: () => boolean;
  /** A hook. On the server it is the initial value. */
  readonly useValue: () => Value;
}

export function shareValue<Value>(initial: Value): SharedValue<Value> {
  let value = initial;
  const listeners = new Set<() => void>();
  const get = () => value;
  function subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }
  return {
    get,
    set(next) {
      value = next;
      for (const listener of listeners) listener();
    },
    isShown: () => listeners.size > 0,
    useValue: () => useSyncExternalStore(subscribe, get, () => initial),
  };
}
