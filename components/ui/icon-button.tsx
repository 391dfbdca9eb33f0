import type { ReactNode } from "react";
import { Button, type ButtonProps } from "./button.tsx";
import { Tooltip } from "./tooltip.tsx";

export interface IconButtonProps extends Omit<ButtonProps, "children" | "aria-label" | "icon" | "size" | "square"> {
  /** Its accessible name, and its tooltip. */
  readonly label: string;
  readonly icon: ReactNode;
}

export function IconButton({ label, icon, variant = "ghost", ...rest }: IconButtonProps) {
  return (
    <Tooltip content={label}>
      <Button {...rest} aria-label={label} size="sm" square variant={variant}>
        {icon}
      </Button>
    </Tooltip>
  );
}
