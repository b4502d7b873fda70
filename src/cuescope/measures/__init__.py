"""What is computed from verdicts: values with intervals and signatures."""
