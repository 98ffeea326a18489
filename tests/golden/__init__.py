"""Results that must not change: what small audits found before the house was rebuilt, to the digit."""
