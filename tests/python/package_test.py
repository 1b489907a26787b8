"""What `import politex` gives."""
import unittest

import politex


class Package(unittest.TestCase):
    def test_version(self):
        self.assertRegex(politex.__version__, r"^\d+\.\d+\.\d+$")

    def test_error_is_a_value_error(self):
        self.assertTrue(issubclass(politex.Error, ValueError))
        self.assertEqual(politex.Error.__module__, "politex")
        self.assertIsNone(politex.Error("x").key)


if __name__ == "__main__":
    unittest.main()
