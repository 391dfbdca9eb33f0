"use client";
import { cx } from "./cx.ts";
import { Modal, type ModalProps } from "./modal.tsx";

export interface DialogProps extends Omit<ModalProps, "className"> {
  readonly size?: "sm" | "md" | "lg";
}

const sizeClasses = { sm: "max-w-sm", md: "max-w-md", lg: "max-w-2xl" } as const;

/**
 * A question or a short form, above the page. A form that spans body and footer: give the `<form>` an id, and the
 * footer's submit button the same `form`.
 */
export function Dialog({ size = "md", ...rest }: DialogProps) {
  return (
    <Modal
      {...rest}
      className={cx(
        "enter-rise max-h-[min(85dvh,48rem)] w-[calc(100vw-2rem)] overflow-hidden rounded-xl",
        sizeClasses[size],
      )}
    />
  );
}
