/** A place where the reader is signed in. */
export interface SessionLine {
  readonly id: string;
  /** The one that reads this. */
  readonly current: boolean;
  /** "Firefox on Linux". */
  readonly browser: string;
  readonly address: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}

export interface PasswordInput {
  readonly current_password: string;
  readonly new_password: string;
}
