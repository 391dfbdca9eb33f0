"use client";
import { Printer } from "lucide-react";
import { Button } from "./button.tsx";

/** Opens the browser's dialog to print, which also makes a PDF. */
export function PrintButton() {
  return (
    <Button icon={<Printer />} onClick={() => window.print()}>
      Print
    </Button>
  );
}
