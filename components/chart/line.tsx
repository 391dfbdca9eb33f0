import { linePath } from "./scale.ts";

export interface LineProps {
  /** One for each stretch of time; null: none is known. */
  readonly values: readonly (number | null)[];
  readonly top: number;
  readonly className: string;
  /** Thinner, too. */
  readonly dashed?: true;
}

/** Over the columns of a Panel. */
export function Line({ values, top, className, dashed }: LineProps) {
  return (
    <svg
      aria-hidden="true"
      className="pointer-events-none absolute inset-0 size-full overflow-visible"
      fill="none"
      preserveAspectRatio="none"
      strokeLinecap="round"
      strokeLinejoin="round"
      viewBox={`0 0 ${values.length} 100`}
    >
      <path
        className={className}
        d={linePath(values, top)}
        strokeDasharray={dashed && "3 4"}
        strokeWidth={dashed ? "1.5" : "2"}
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
