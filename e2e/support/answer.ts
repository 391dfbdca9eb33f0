/** Fields of both contracts, each as its document types it. A test that reads one expects it to be there. */
export interface AnswerBody extends Partial<Record<string, unknown>> {
  readonly success: boolean;
  readonly error: boolean;
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, string>>;
  readonly data: AnswerData;
  readonly licenses: readonly ListedLicense[];
  readonly next_cursor: string | null;
  readonly valid: boolean;
  readonly status: string;
  readonly type: string;
  readonly expires: string;
  readonly ip: string;
  readonly hostname: string;
  readonly cores: number;
  readonly workers: number;
  readonly updated_at: string;
  readonly reported_at: string;
}

export interface ListedLicense {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly expires: string;
  readonly server: string;
}

export interface MemberLicense {
  readonly license_id: number;
  readonly license_key: string;
  readonly product: string;
  readonly expires_at: string;
  readonly new_expiry: string;
  readonly provider_status: string;
  readonly status: string;
  readonly auto_renew: boolean;
}

export interface OfferedCycle {
  readonly cycle_id: number;
  readonly name: string;
  readonly months: number;
  readonly price: number;
  readonly setup_fee: number;
  readonly price_per_core: number | null;
  readonly currency: string;
}

export interface Offer {
  readonly product_id: number;
  readonly bundle_id: number;
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly core_metered: boolean;
  readonly workers: number;
  readonly products: readonly { readonly product_id: number; readonly name: string; readonly type: string }[];
  readonly cycles: readonly OfferedCycle[];
}

export interface AnswerData {
  readonly license_id: number;
  readonly license_key: string;
  readonly product: string;
  readonly ip_address: string;
  readonly status: string;
  readonly issued_at: string;
  readonly expires_at: string;
  readonly days_remaining: number;
  readonly cores: number | null;
  readonly notes: string;
  readonly external_id: string;
  readonly existing: boolean;
  readonly dry_run: boolean;
  readonly new_expiry: string;
  readonly old_ip: string;
  readonly new_ip: string;
  readonly old_cores: number;
  readonly new_cores: number;
  readonly provider_status: string;
  readonly reason: string;
  readonly suspended_at: string;
  readonly price: number;
  readonly currency: string;
  readonly balance: number;
  readonly balance_after: number;
  readonly pending_transactions: number;
  readonly operation_id: string;
  readonly bundle_id: number;
  readonly bundle_instance_id: number;
  readonly name: string;
  readonly licenses: readonly MemberLicense[];
  readonly products: readonly Offer[];
  readonly bundles: readonly Offer[];
}
