import type { MachineState } from "#lib/domain/machine-health.ts";

/** The host of this process. */
export interface HostProbe {
  /** What an agent reports (contract 2.5). */
  read(): Promise<HostReading>;
  readState(): Promise<MachineState>;
}

export interface HostReading {
  readonly hostname: string;
  readonly os: string;
  readonly kernel: string;
  readonly cpuCores: number;
  readonly memoryBytes: number;
  readonly diskFreeBytes: number;
  readonly uptimeSeconds: number;
}
