"use client";
import { Modal, type ModalProps } from "./modal.tsx";

/** A panel at the right edge for details beside a list; the whole width on phones. */
export function Sheet(props: Omit<ModalProps, "className">) {
  return (
    <Modal
      {...props}
      className="enter-side mr-0 h-dvh max-h-dvh min-h-dvh w-full max-w-full overflow-hidden sm:max-w-md"
    />
  );
}
