"""From scores and the truth to numbers: no attack may look here."""
