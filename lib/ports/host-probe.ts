/** Reads what an agent reports, on the serving host (contract 2.5). */
export interface HostProbe {
  read(): Promise<HostReading>;
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
