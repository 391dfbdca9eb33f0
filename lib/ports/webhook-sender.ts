/** Delivers webhooks to receivers. */
export interface WebhookSender {
  /**
   * Sends once, without redirects, within 15 seconds. Throws only if closed meanwhile, which says nothing about the
   * receiver.
   */
  send(request: WebhookRequest): Promise<WebhookReply>;
  close(): Promise<void>;
}

export interface WebhookRequest {
  readonly url: string;
  /** The target that it was counted against; null if the host is not resolved yet. */
  readonly target: string | null;
  /** Consecutive failures: each one tries the next address of the host. */
  readonly failures: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type WebhookReply =
  | {
      readonly kind: "answered";
      readonly status: number;
      /** As sent. */
      readonly retryAfter: string | null;
      /** At most 2 KB, as text. */
      readonly bodyStart: string;
    }
  /** Nothing was sent: the host has another target now. */
  | { readonly kind: "moved"; readonly target: string }
  /** No response; `error` explains it to the endpoint's owner. */
  | { readonly kind: "failed"; readonly error: string };
